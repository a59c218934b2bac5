/**
 * The variants of a journey, by market, storefront or card: the first ones in every run, all of them with `--all`. Each run walks every
 * journey; which market a journey is walked in differs from file to file, so that each run meets all of them.
 */
export function variantsOf<Variant>(all: readonly Variant[], inEveryRun = 1): readonly Variant[] {
  return process.env['ALL_MARKETS'] === undefined ? all.slice(0, inEveryRun) : all
}
