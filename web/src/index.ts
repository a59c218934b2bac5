/** The API for page authors. The shop's server imports its part by file (`@purlin/web/pages.ts`). */
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
export { fieldsOf, formAction, namesOf, type FormRefusal } from './form-action.ts'
export { choice, email, optionalText, text, wholeNumber } from './form-input.ts'
export { Enhance, type When } from './enhance.tsx'
export type { DataOf, LayoutModule, LayoutProps, LoadAnswer, Loaded, PageModule, PageViewProps, RequestContext } from './page.ts'
export type { QueryValues } from './query-text.ts'
export type { CachePolicy, Match, Route } from './route-table.ts'
export { ownPath } from './own-path.ts'
export { queryText } from './query-text.ts'
export { createPageWords, type PageWords } from './words.ts'
