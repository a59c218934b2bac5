/** Content: composed pages, as opposed to search results, and legal and help texts. */
export { findText, textsOf } from './find-text.ts'
export { carouselSizes, newForDays, showHome, type Home } from './show-home.ts'
export { textNames, type Text, type TextName } from './text.ts'
export { listEntries } from './list-entries.ts'
export { readEntryFiles, type EntryFile } from './entry-files.ts'
export { publishFiles } from './publish-files.ts'
export { forgetContent, contentTag } from './shelf.ts'
