import type { Instead } from './error-page.tsx'

/** For `notFound`: the error page says that colleagues with another role may see the page. */
export const forOtherRoles: Instead = { isForOtherRoles: true }
