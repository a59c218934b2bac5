import { Steps } from '@purlin/ui/navigation.tsx'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'

const steps = ['cart', 'identity', 'payment'] as const
export type FunnelStep = (typeof steps)[number]

/** The current step of the funnel; completed steps are links until payment. */
export function FunnelSteps({ current, t }: { current: FunnelStep; t: ShopContext['t'] }): ReactNode {
  const addresses: Record<FunnelStep, string | undefined> = {
    cart: paths.cart(),
    identity: paths.firstOrder(),
    payment: undefined,
  }
  const at = steps.indexOf(current)
  return (
    <Steps
      label={t('checkout.steps')}
      current={at}
      steps={steps.map((step, index) => ({ label: t(`checkout.step.${step}`), href: index < at ? addresses[step] : undefined }))}
    />
  )
}
