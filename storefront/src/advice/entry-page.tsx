import type { ReactNode } from 'react'
import type { PageProps } from '../shell/context.ts'
import { EntryView } from './entry-view.tsx'
import { loadEntry } from './load-entry.ts'

export const load = loadEntry

/** A guide, a comparison, a project, a landing, a promotion, a help article: which one, its address says. */
export function Page({ data, context }: PageProps<typeof load>): ReactNode {
  return <EntryView {...data} context={context} />
}
