/** The small scripts of pages, in one file: a request for each would cost more than what it brings. */
export const enhancers = import.meta.glob<Record<string, unknown>>(['./**/*.enhance.ts', '../../ui/src/**/*.enhance.ts'], { eager: true })
