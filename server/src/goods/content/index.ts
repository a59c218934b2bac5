/** Content: composed pages, as opposed to search results, and legal and help texts. */
export { findText, textsOf } from './find-text.ts'
export { carouselSizes, newForDays, showHome, type Home } from './show-home.ts'
export { textNames, type Text, type TextName } from './text.ts'
