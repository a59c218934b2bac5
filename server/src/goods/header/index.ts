/** Header: quick links, pre-header and campaigns of the menu, on a schedule; banners come from content. */
export { forgetHeader, headerTag } from './show-header.ts'
export { writeItem } from './store.ts'
