/** The style sheet of all pages: tokens and base first, then the CSS modules of the design system and of the shop's open pages. */
import '../../ui/src/tokens.css'
import '../../ui/src/icons.css'
import '../../ui/src/fonts.css'
import '../../ui/src/base.css'

// In a file of its own: a glob's imports are placed before all others in its file.
export { modules } from './style-modules.ts'
