import type { LinkData } from './mail-links.ts'
import type { OneTimeToken } from './tokens.ts'
import type { Visit } from './visit.ts'

/** A link from a mail, opened by a browser. */
export interface Link extends Visit {
  value: string
  token: OneTimeToken<LinkData>
  /** Opened in the browser that requested it. */
  isSameBrowser: boolean
  /** The submitted form; undefined while the page is only viewed. */
  form: URLSearchParams | undefined
  /** What was entered in a form that is refused for now. */
  typed?: URLSearchParams | undefined
}
