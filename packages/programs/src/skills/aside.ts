/** What is in no use: nobody meets it while the program runs. `org/example/` is the folder of a Java package. */
const ASIDE = /(?:^|(?<!(?:^|\/)(?:com|net|org))\/)(?:examples?|bench\w*|fixtures?|docs?|tests?|__tests__|spec|e2e)\//u

export const isAside = (path: string): boolean => ASIDE.test(path)
