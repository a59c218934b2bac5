/** One style sheet for the whole shop: tokens and base first, then every CSS module of the design system and the pages. */
import '../../ui/src/tokens.css'
import '../../ui/src/fonts.css'
import '../../ui/src/base.css'

// From a file of its own: a glob's imports are put before all others of its file.
export { modules } from './style-modules.ts'
