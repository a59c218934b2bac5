import type { MessageTopic, OrderFragment, SellerOrderFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import { routes, type PageName } from '../routes.ts'

/** What a buyer needs help with. */
export const supportTopics = ['delivery', 'cancel', 'damage', 'return', 'invoice', 'other'] as const
export type SupportTopic = (typeof supportTopics)[number]

/** What can be done at once, without writing to anybody. */
export const supportActions = ['follow', 'shipment', 'cancel', 'return', 'invoice', 'order'] as const
export type SupportAction = (typeof supportActions)[number]

export function supportTopicOf(value: unknown): SupportTopic | null {
  return supportTopics.find((topic) => topic === value) ?? null
}

/** The topic of the message about it. */
export const messageTopics: Record<SupportTopic, MessageTopic> = {
  delivery: 'delivery',
  cancel: 'other',
  damage: 'damage',
  return: 'return',
  invoice: 'invoice',
  other: 'other',
}

const offered: Record<SupportTopic, readonly SupportAction[]> = {
  delivery: ['follow', 'shipment', 'order'],
  cancel: ['cancel', 'return', 'order'],
  damage: ['return'],
  return: ['return'],
  invoice: ['invoice'],
  other: ['order'],
}

type State = SellerOrderFragment['state']
const pages: Record<SupportAction, { page: PageName; states: readonly State[] | null }> = {
  follow: { page: 'onlineSupportFollowDelivery', states: ['PENDING', 'ACCEPTED', 'PREPARING', 'SHIPPED', 'DELIVERED'] },
  shipment: { page: 'shipmentDetails', states: ['SHIPPED', 'DELIVERED', 'INCIDENT_OPEN', 'CLOSED'] },
  cancel: { page: 'orderCancellationRecap', states: ['PENDING', 'ACCEPTED', 'PREPARING'] },
  return: { page: 'returnRequest', states: ['SHIPPED', 'DELIVERED', 'CLOSED'] },
  invoice: { page: 'onlineSupportInvoice', states: null },
  order: { page: 'orderDetails', states: null },
}

const isBuilt = (name: PageName): boolean => {
  const row = routes.find((each) => each.name === name)
  return row !== undefined && 'page' in row
}

interface Helped {
  order: Pick<OrderFragment, 'id'>
  part: Pick<SellerOrderFragment, 'id' | 'state'>
  hasAccount: boolean
}

export interface SupportOffer {
  action: SupportAction
  url: string
}

/**
 * What this seller order's state allows now, of the things that help with a topic, as far as there is a page for it that the visitor can
 * open: whoever has come by a link follows the delivery on the page of the shipment.
 */
export function supportOffers(topic: SupportTopic, { order, part, hasAccount }: Helped): SupportOffer[] {
  const { id: customerOrderId } = order
  const { id, state } = part
  const shipment = paths.shipmentDetails({ customerOrderId, sellerOrderId: id })
  const urls: Record<SupportAction, string> = {
    follow: hasAccount ? paths.onlineSupportFollowDelivery({ orderId: id }) : shipment,
    shipment,
    cancel: paths.orderCancellationRecap({ customerOrderId, sellerOrderId: id }),
    return: paths.returnRequest({ customerOrderId, orderId: id }),
    invoice: paths.onlineSupportInvoice({ orderId: id }),
    order: paths.orderDetails({ customerOrderId, sellerOrderId: id }),
  }
  return offered[topic]
    .filter((action) => isBuilt(pages[action].page) && (pages[action].states?.includes(state) ?? true))
    .filter((action, at, all) => all.findIndex((each) => urls[each] === urls[action]) === at)
    .map((action) => ({ action, url: urls[action] }))
}
