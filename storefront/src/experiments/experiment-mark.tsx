import { Enhance } from '@purlin/web'
import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'

/** Marks where a page shows an experiment: seen there, with consent, a visitor counts. */
export function ExperimentMark({ name, context }: { name: string; context: ShopContext }): ReactNode {
  const variation = context.variations[name]
  if (variation === undefined) return null
  return (
    <Enhance with="experiment" when="idle">
      <span data-experiment={name} data-variation={variation} />
    </Enhance>
  )
}
