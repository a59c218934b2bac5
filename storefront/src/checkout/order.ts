/** An order as the funnel and the order pages ask for it. Types follow contract/graphql/checkout.graphql. */

export interface Money {
  amount: number
  currency: string
  formatted: string
}

export interface Totals {
  goods: Money
  delivery: Money
  discount: Money
  totalWithoutVat: Money
  totalWithVat: Money
  vatLines: { rate: string; vat: Money }[]
}

export interface OrderAddress {
  firstName: string
  lastName: string
  company: string | null
  vatNumber: string | null
  line1: string
  line2: string | null
  postcode: string
  city: string
  country: string
  phone: string
  instructions: string | null
}

export interface DeliveryOption {
  kind: string
  label: string
  fee: Money
  promise: string
}

export interface OrderLine {
  offerId: string
  title: string
  url: string
  imageUrl: string
  quantity: number
  total: Money
  totalWithVat: Money
}

export interface SellerOrder {
  id: string
  seller: { id: number; name: string; url: string; email: string }
  state: string
  stateLabel: string
  lines: OrderLine[]
  deliveryOptions: DeliveryOption[]
  deliveryKind: string
  deliveryLabel: string
  deliveryPromise: string
  delivery: Money
  total: Money
}

export interface Payment {
  id: string
  state: string
  amount: Money
  frameUrl: string | null
  failure: string | null
}

export interface CustomerOrder {
  id: string
  state: string
  stateLabel: string
  placedAt: string | null
  email: string
  taxKey: 'with_vat' | 'without_vat'
  address: OrderAddress
  billingAddress: OrderAddress
  sellerOrders: SellerOrder[]
  couponCode: string | null
  totals: Totals
  payment: Payment | null
  holdsUntil: string | null
}

export interface Refusal {
  reason: string
  message: string
  fields: { field: string; message: string }[]
}

const address = `{ firstName lastName company vatNumber line1 line2 postcode city country phone instructions }`
const money = `{ amount currency formatted }`

const orderFields = `
  id state stateLabel placedAt email taxKey couponCode holdsUntil
  address ${address}
  billingAddress ${address}
  sellerOrders {
    id state stateLabel deliveryKind deliveryLabel deliveryPromise
    seller { id name url email }
    lines { offerId title url imageUrl quantity total ${money} totalWithVat ${money} }
    deliveryOptions { kind label promise fee ${money} }
    delivery ${money}
    total ${money}
  }
  totals {
    goods ${money} delivery ${money} discount ${money} totalWithoutVat ${money} totalWithVat ${money}
    vatLines { rate vat ${money} }
  }
  payment { id state frameUrl failure amount ${money} }
`
const refusalFields = `refusal { reason message fields { field message } }`

export const orderQuery = `query CustomerOrder($id: ID!) { customerOrder(id: $id) { ${orderFields} } }`
/** Waits a moment for what the page is there for; see the API. */
export const orderAtQuery = `query CustomerOrderAt($id: ID!, $until: OrderMoment!) {
  customerOrder(id: $id, until: $until) { ${orderFields} }
}`
export const funnelQuery = `query Funnel { funnel { step customerOrderId email } }`
export const continueAsGuestMutation = `mutation ContinueAsGuest($email: String!) {
  continueAsGuest(email: $email) { funnel { step customerOrderId email } ${refusalFields} }
}`
export const saveAddressMutation = `mutation SaveAddress($input: AddressInput!) {
  saveAddress(input: $input) { order { id } ${refusalFields} }
}`
export const placeOrderMutation = `mutation PlaceOrder($id: ID!, $key: String!, $choices: [DeliveryChoiceInput!]!) {
  placeOrder(customerOrderId: $id, idempotencyKey: $key, choices: $choices) { ${refusalFields} }
}`
export const openOrderByTokenMutation = `mutation OpenOrderByToken($token: String!) {
  openOrderByToken(token: $token) { order { id sellerOrders { id } } ${refusalFields} }
}`

export interface Funnel {
  step: string
  customerOrderId: string | null
  email: string | null
}

/** Money has arrived, or is as good as here. */
export function isPaid(order: Pick<CustomerOrder, 'state'>): boolean {
  return !['draft', 'awaiting-payment', 'cancelled'].includes(order.state)
}
