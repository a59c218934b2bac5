/** All CSS modules, the design system's before those of the pages. */
export const modules = [
  import.meta.glob('../../ui/src/**/*.module.css', { eager: true }),
  import.meta.glob('./**/*.module.css', { eager: true }),
]
