import { Alert } from '@purlin/ui/alert.tsx'
import type { ReactNode } from 'react'
import type { SellerOrderFragment, ShipmentFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'

interface Props {
  part: SellerOrderFragment
  shipment: ShipmentFragment | undefined
  customerOrderId: string
  context: ShopContext
}

/** Leads to the time of a delivery by appointment: to be chosen, to be changed, or to be chosen anew. */
export function Appointment({ part, shipment, customerOrderId, context: { t } }: Props): ReactNode {
  if (!shipment?.appointment?.canChoose) return null
  const href = paths.deliveryAppointment({ customerOrderId, sellerOrderId: part.id })
  if (!shipment.appointment.isMissed && part.appointment)
    return (
      <p>
        <a href={href}>{t('slot.change')}</a>
      </p>
    )
  return (
    <Alert severity="info" title={t(shipment.appointment.isMissed ? 'slot.missed' : 'slot.open')}>
      <a href={href}>{t('slot.choose')}</a>
    </Alert>
  )
}
