import type { Bundle } from './pages-options.ts'
import type { Route } from './route-table.ts'

/** Stops the start: each page of the table is in the bundle, and each form has the schema of its fields. */
export function checkBundle<Context>(routes: readonly Route[], { pages }: Bundle<Context>): void {
  for (const [file, { action }] of Object.entries(pages))
    if (action && !('schema' in action)) throw new Error(`${file}: an action is made by formAction, with the schema of its form`)
  for (const { name, page } of routes) if (page !== undefined && !pages[page]) throw new Error(`${name}: the bundle has no page ${page}`)
}
