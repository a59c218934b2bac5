import { notFound } from '@purlin/web/outcomes.ts'

/** The address of the not-found page itself: it looks like, and has the status of, any page that does not exist. */
export const load = notFound

export const Page = (): null => null
