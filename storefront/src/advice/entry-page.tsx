import type { ReactNode } from 'react'
import type { PageProps } from '../shell/context.ts'
import { EntryView } from './entry-view.tsx'
import { loadEntry } from './load-entry.ts'

export const load = loadEntry

/** A guide, a comparison, a project, a landing page, a promotion or a help article, depending on the address. */
export function Page({ data, context }: PageProps<typeof load>): ReactNode {
  return <EntryView {...data} context={context} />
}
