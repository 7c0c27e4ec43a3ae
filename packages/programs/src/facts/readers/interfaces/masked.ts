/** A text of code with its comments and strings blanked out, each character by a space, so that places stay. */
export const masked = (text: string, marks: RegExp): string => text.replaceAll(marks, (part) => part.replaceAll(/[^\n]/gu, " "))
