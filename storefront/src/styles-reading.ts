/** Style sheet of pages that are read: guides and other written content, legal texts, help, paints, inspirations and comparisons. */
export const modules = import.meta.glob(
  [
    './advice/{calculator,comparison,entry,hub,shopping-list}.module.css',
    './{compare,credit,information,paint}/*.module.css',
    './discovery/{inspiration,partner-ad}.module.css',
  ],
  { eager: true },
)
