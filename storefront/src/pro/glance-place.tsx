import { Enhance } from '@purlin/web'
import type { ReactNode } from 'react'

/** The place of a professional's own work on pages that are cached for everybody; a script fills it for members of companies. */
export function GlancePlace(): ReactNode {
  return (
    <Enhance with="glance" when="idle">
      <div hidden data-glance />
    </Enhance>
  )
}
