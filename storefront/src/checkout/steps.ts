import { paths } from '../paths.ts'
import type { FunnelFragment, FunnelStep } from '../generated/documents.ts'

/** The address of a step of the funnel; the gateway determines the next step. */
export function pathOfStep({ step, customerOrderId }: FunnelFragment): string {
  const ofOrder = (path: (parameters: { customerOrderId: string }) => string) =>
    customerOrderId === null ? paths.cart() : path({ customerOrderId })
  const byStep: Record<FunnelStep, () => string> = {
    cart: () => paths.cart(),
    // A guest enters the e-mail address together with the delivery address.
    register: () => paths.firstOrder(),
    address: () => paths.firstOrder(),
    delivery: () => ofOrder(paths.delivery),
    payment: () => ofOrder(paths.payment),
    receipt: () => ofOrder(paths.orderRecap),
  }
  return byStep[step]()
}
