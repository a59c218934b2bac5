/** Markets: site settings by host. */
export { siteOf, type Site } from './site.ts'
