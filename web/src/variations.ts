import type { Variation } from './pages-options.ts'
import type { Match, Route } from './route-table.ts'

/** The variations a page depends on: those of the experiments its row declares. */
export function declaredVariations(found: Match<Route> | null, variation: Variation | null): Record<string, string> {
  const running = variation?.experiments
  if (!running || !found?.route.experiments) return {}
  return Object.fromEntries(found.route.experiments.flatMap((name) => (name in running ? [[name, running[name] ?? '']] : [])))
}

/** An address is known before its row: its spelling is remembered per combination of variations, the page itself is not. */
export function everyVariation({ experiments }: Variation): string {
  return experiments ? Object.values(experiments).join(',') : ''
}
