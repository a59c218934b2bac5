/** Attribution: the channel, category and campaign that brought a visitor; its edge is all there is to it. */
export { attribute } from './attribute.ts'
