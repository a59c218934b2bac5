/** Content: pages that are composed, not searched, and the texts of law and help. */
export { findText, textsOf } from './find-text.ts'
export { carouselSizes, newForDays, showHome, type Home } from './show-home.ts'
export { textNames, type Text, type TextName } from './text.ts'
