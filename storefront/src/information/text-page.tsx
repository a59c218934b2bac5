import type { ReactNode } from 'react'
import type { PageProps } from '../shell/context.ts'
import { loadText } from './load-text.ts'
import { OperatorDetails } from './operator-details.tsx'
import { TextView } from './text-view.tsx'

export const load = loadText

/** Any text without a form: terms, privacy, help and so on, selected by address. */
export function Page({ data: { text, operator }, context }: PageProps<typeof load>): ReactNode {
  return <TextView text={text} context={context} parts={{ operator: <OperatorDetails operator={operator} context={context} /> }} />
}
