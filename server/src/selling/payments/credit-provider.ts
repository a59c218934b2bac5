import type { Currency, Market } from '@purlin/contract/markets.ts'
import type { CallOptions, PaymentEvent, PaymentProvider } from './provider.ts'

/** A company whose invoices a credit provider pays. */
export interface Debtor {
  companyId: string
  name: string
  /** Its VAT number, without spaces. */
  registrationNumber: string
  country: string
}

export interface CreditRequest {
  paymentId: string
  customerOrderId: string
  amount: number
  currency: Currency
  market: Market
  debtor: Debtor
  /** Where the buyer returns to from the provider's page. */
  returnUrl: string
}

/** The provider's limit for a company. Amounts in minor units. */
export interface CreditLimit {
  limit: number
  currency: Currency
  isAccepted: boolean
}

/** The invoice of one parcel, which the provider pays. */
export interface ShippedInvoice {
  /** Our id of the claim. */
  claimId: string
  number: string
  sellerOrderId: string
  amount: number
  currency: Currency
  issuedOn: string
}

/** The claim for an invoice as the provider reports it. Amounts only grow, so that an older report changes nothing. */
export interface ProviderClaim {
  claimId: string
  reference: string
  /** YYYY-MM-DD */
  dueOn: string
  credited: number
  /** Paid in all, including what was taken back. */
  repaid: number
  /** Payments that the company's bank has taken back. */
  reversed: number
}

/** Invoices of a company that are paid together, and the day until which. */
export interface JointCollection {
  statementId: string
  number: string
  dueOn: string
  claimIds: readonly string[]
}

/** The account to which a company transfers what it owes. */
export interface Payee {
  holder: string
  iban: string
  bic: string
  /** To be quoted with the transfer. */
  remittance: string
}

/** A SEPA direct-debit mandate, given to the provider as the creditor. */
export interface GivenMandate {
  /** Its unique reference. */
  reference: string
  companyId: string
  holder: string
  iban: string
}

/** The direct debit of a statement as the provider reports it, with the claims it concerns. */
export interface ProviderDebit {
  statementId: string
  /** The sum to collect, in minor units. */
  amount: number
  /** Cancelled: nothing was collected, because nothing was open or the mandate had ended. */
  state: 'submitted' | 'settled' | 'returned' | 'canceled'
  /** The bank's code of a return, such as AM04. */
  reason: string | null
  claims: ProviderClaim[]
}

export type CreditEvent =
  | ({ kind: 'order' } & PaymentEvent)
  | { kind: 'claim'; id: string; type: string; claim: ProviderClaim }
  | { kind: 'debit'; id: string; type: string; debit: ProviderDebit }

/** Where the money of a refund was: pieces that never left, or pieces that were invoiced. */
export interface Reduction {
  sellerOrderId: string
  isInvoiced: boolean
}

/**
 * A provider of invoice payment for companies. Its orders are payments like those of cards: authorised by its decision,
 * captured when the shop confirms the order, from when on it bears the risk; refunds reduce what it pays and collects.
 */
export interface CreditProvider extends Pick<PaymentProvider, 'name' | 'capture' | 'void' | 'retrieve'> {
  requestCredit(request: CreditRequest, options: CallOptions): ReturnType<PaymentProvider['capture']>
  refund(reference: string, amount: number, options: CallOptions & { reduction?: Reduction }): ReturnType<PaymentProvider['capture']>
  /** Reports the invoice of a parcel, payable within thirty days. @throws ProviderRefusal when more is invoiced than was authorised */
  invoice(reference: string, invoice: ShippedInvoice, options: CallOptions): Promise<ProviderClaim>
  /**
   * Asks for one due date for the invoices of a statement, and for the account. The same statement again returns where its claims
   * stand. @throws ProviderRefusal
   */
  collect(collection: JointCollection, options: CallOptions): Promise<{ payee: Payee; claims: ProviderClaim[] }>
  /** Whether the provider accepts a mandate. The same reference again returns the same. */
  registerMandate(mandate: GivenMandate, options: CallOptions): Promise<{ isAccepted: boolean }>
  /** Ends a mandate; one that has ended already is no error. @throws ProviderRefusal for an unknown one */
  endMandate(reference: string, options: CallOptions): Promise<void>
  /**
   * Collects a statement by direct debit, once: at most the amount announced, and at most what is open. The same statement again
   * returns where its debit stands. @throws ProviderRefusal
   */
  debit(debit: { statementId: string; mandateReference: string; amount: number }, options: CallOptions): Promise<ProviderDebit>
  retrieveLimit(debtor: Debtor, currency: Currency, options: Omit<CallOptions, 'key'>): Promise<CreditLimit>
  /** Parses a message into its event. @throws when the signature is invalid (A70) */
  verifyMessage(rawBody: string, headers: Readonly<Record<string, string | string[] | undefined>>): CreditEvent
}
