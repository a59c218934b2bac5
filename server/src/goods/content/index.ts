/** Content: pages that are composed, not searched. */
export { carouselSizes, newForDays, showHome, type Home } from './show-home.ts'
