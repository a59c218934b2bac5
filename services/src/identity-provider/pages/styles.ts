/** One style sheet: the shop's tokens and base, the components in use, and the page's own. */
import '../../../../ui/src/tokens.css'
import '../../../../ui/src/icons.css'
import '../../../../ui/src/fonts.css'
import '../../../../ui/src/base.css'

export * as alert from '../../../../ui/src/alert.module.css'
export * as button from '../../../../ui/src/button.module.css'
export * as field from '../../../../ui/src/field.module.css'
export * as icon from '../../../../ui/src/icon.module.css'
export * as logo from '../../../../ui/src/logo.module.css'
export * as panel from '../../../../ui/src/panel.module.css'
export * as page from './page.module.css'
