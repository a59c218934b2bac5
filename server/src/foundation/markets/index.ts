/** Markets: what the host decides, and who runs the shop there. */
export { missingOperatorSettings, operatorOf, type Operator } from './operator.ts'
export { siteOf, type Site } from './site.ts'
