import { redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'
import { FunnelDocument } from '../generated/documents.ts'
import { pathOfStep } from './steps.ts'

/** Determines the next step from cart and order; safe to repeat. */
export async function load(context: ShopContext) {
  const { funnel } = await context.client.query(FunnelDocument)
  return redirect(302, pathOfStep(funnel))
}

/** Never shown: `load` always redirects. */
export function Page(): ReactNode {
  return null
}
