/** Where a person goes on after signing in. Pure. */

const ANY = "http://localhost"

/** The path, where it is a page of the desk; the first page of the desk for anything else, such as an address of another site. */
export const returnPath = (text: string | undefined): string => {
  const url = text?.startsWith("/") === true ? URL.parse(text, ANY) : null
  const isDesk = url !== null && url.origin === ANY && (url.pathname === "/desk" || url.pathname.startsWith("/desk/"))
  return isDesk ? `${url.pathname}${url.search}` : "/desk"
}

/** The page on which somebody signs in to go on there. */
export const signInPath = (to: string): string => `/desk/sign-in?${new URLSearchParams({ to: returnPath(to) }).toString()}`
