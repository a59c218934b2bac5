import { paths } from '../paths.ts'
import type { Funnel } from './order.ts'

/** The address of a step of the funnel; the gateway says which step is next. */
export function pathOfStep({ step, customerOrderId }: Funnel): string {
  if (step === 'register') return paths.funnelLogin()
  if (step === 'address') return paths.firstOrder()
  if (customerOrderId !== null) {
    if (step === 'delivery') return paths.delivery({ customerOrderId })
    if (step === 'payment') return paths.payment({ customerOrderId })
    if (step === 'receipt') return paths.orderRecap({ customerOrderId })
  }
  return paths.cart()
}
