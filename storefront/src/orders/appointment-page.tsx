import { Alert } from '@purlin/ui/alert.tsx'
import { Button } from '@purlin/ui/button.tsx'
import { Container } from '@purlin/ui/panel.tsx'
import { formAction, namesOf } from '@purlin/web/form-action.ts'
import { text } from '@purlin/web/form-input.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { BackToAccount } from '../account/account-frame.tsx'
import funnel from '../checkout/checkout.module.css'
import { Slots } from '../checkout/slots.tsx'
import {
  ChooseDeliverySlotDocument,
  DeliverySlotsDocument,
  OrderWithShipmentsDocument,
  type RefusalFragment,
} from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './orders.module.css'

const slotForm = v.object({ slot: v.optional(text(40), '') })
const field = namesOf(slotForm)

export async function load(context: ShopContext) {
  const { customerOrderId = '', sellerOrderId = '' } = context.params
  const { customerOrder: order } = await context.client.query(OrderWithShipmentsDocument, { id: customerOrderId })
  const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
  const appointment = order?.shipments.find((each) => each.sellerOrderId === sellerOrderId)?.appointment
  // Another's order, and a delivery without an appointment, look alike.
  if (!part || !appointment) return notFound()
  const slots = appointment.canChoose
    ? (await context.client.query(DeliverySlotsDocument, { customerOrderId, sellerId: part.seller.id })).deliverySlots
    : null
  return { data: { part, appointment, slots, customerOrderId }, title: context.t('slot.title'), robots: 'noindex' }
}

export const action = formAction(slotForm, async (context: ShopContext, { slot }) => {
  const { customerOrderId = '', sellerOrderId = '' } = context.params
  const chosen = await context.client.mutate(ChooseDeliverySlotDocument, { customerOrderId, sellerOrderId, slotId: slot })
  const refusal = chosen?.chooseDeliverySlot.refusal
  if (refusal) return refuse<RefusalFragment>({ ...refusal, fields: [] }, 409)
  return redirect(303, paths.orderDetails({ customerOrderId, sellerOrderId }), { severity: 'success', key: 'flash.slot-chosen' })
})

/** When bulky goods may come: chosen after the order, changed until the day before, or chosen anew. */
export function Page({
  data: { part, appointment, slots, customerOrderId },
  context,
  refusal,
}: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const back = paths.orderDetails({ customerOrderId, sellerOrderId: part.id })
  return (
    <Container>
      <div className={styles.single}>
        <BackToAccount to={back} label={t('shipment.back')} />
        <p className={funnel.kicker}>{t('shipment.title', { seller: part.seller.name })}</p>
        <h1>{t('slot.title')}</h1>
        {refusal && <Alert severity="danger" title={refusal.message} announces />}
        {appointment.isMissed && <Alert severity="info">{t('slot.missed')}</Alert>}
        <section className={funnel.panel}>
          {part.appointment && !appointment.isMissed && (
            <p>
              <strong>{t('slot.when', part.appointment)}</strong>
            </p>
          )}
          {slots ? (
            <form method="post">
              <Slots found={slots} name={field('slot')} chosen={part.appointment?.id ?? ''} isAlone context={context} />
              {slots.isAvailable && slots.slots.length > 0 && (
                <p className={funnel.actions}>
                  <Button size="l">{t('slot.save')}</Button>
                </p>
              )}
            </form>
          ) : (
            <p>{t('slot.closed')}</p>
          )}
        </section>
      </div>
    </Container>
  )
}
