/** One style sheet for the whole shop: tokens and base first, then every CSS module of the design system and the pages. */
import '../../ui/src/tokens.css'
import '../../ui/src/fonts.css'
import '../../ui/src/base.css'

export const modules = import.meta.glob(['../../ui/src/**/*.module.css', './**/*.module.css'], { eager: true })
