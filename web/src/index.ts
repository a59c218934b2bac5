/** What page authors use, on the server and in the browser. The server's half is in `server.ts`. */
export {
  canonicalSlug,
  gone,
  notFound,
  redirect,
  refuse,
  type Flash,
  type Gone,
  type NotFound,
  type Outcome,
  type Redirect,
  type Refuse,
} from './outcomes.ts'
export type { FormFields } from './form.ts'
export { createTranslate, type Catalogue, type MessageValues, type Translate } from './i18n.ts'
export { Enhance, Island, SurroundingsContext, useSurroundings, type When } from './island.tsx'
export type { DataOf, LayoutModule, LayoutProps, LoadAnswer, Loaded, PageModule, PageViewProps, RequestContext } from './page.ts'
export type { QueryValues } from './query-text.ts'
export type { CachePolicy, Match, Route } from './route-table.ts'
export { ownPath } from './own-path.ts'
export { queryText } from './query-text.ts'
