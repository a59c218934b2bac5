import { pageNames } from '@purlin/contract/generated/page-names.ts'

/** Browsers name their pages, and anybody can send any name. These have a route, or render an error without one. */
export const knownPages: readonly string[] = [...pageNames, 'error']
/** What the server records is of no page. */
export const countedPages: readonly string[] = [...knownPages, '']
/** Every other name together: invented ones take no place of a page. */
export const otherPage = 'other'
