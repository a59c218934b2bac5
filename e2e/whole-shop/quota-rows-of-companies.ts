import { signIn } from '@purlin/server/people/accounts/testing.ts'
import { inventVatNumber } from '@purlin/server/people/tax/testing.ts'
import { companiesIn, must } from '@purlin/server/selling/checkout/testing.ts'
import { chooseStatements } from '@purlin/server/selling/credit/choose-statements.ts'
import { addBuyer } from '@purlin/server/selling/credit/testing.ts'
import type { QuotaRow, QuotaRows } from './quota-row.ts'
import type { requestsOf } from './quota-requests.ts'
import type { VisitorsShop } from './visitors.ts'

/** A signed-in member of a company. */
interface Colleague {
  cookie: string
  customerId: string
}

/** The rows of quotas that members of companies use up. */
export function quotaRowsOfCompanies(
  { database }: VisitorsShop,
  { newAddress, addressesSoFar, graphql }: ReturnType<typeof requestsOf>,
): Pick<QuotaRows, 'mandate' | 'vat-number'> {
  const { db } = database
  type Send = (colleague: Colleague, from: string) => Promise<string>
  const byCustomer = (refusal: string, newColleague: () => Promise<Colleague>, send: Send): QuotaRow => ({
    refusal,
    newSender: async () => {
      const colleague = await newColleague()
      return { counted: colleague.customerId, send: () => send(colleague, newAddress()) }
    },
  })
  const fromOnePlace = (refusal: string, newColleague: () => Promise<Colleague>, send: Send): QuotaRow => ({
    refusal,
    newSender: async () => {
      const counted = newAddress()
      return { counted, send: async () => send(await newColleague(), counted) }
    },
  })

  const newSigner = async (): Promise<Colleague> => {
    const company = await addBuyer(db, `DE${100_000_000 + addressesSoFar()}`, { market: 'de', country: 'DE' })
    must(await database.command(company, (scope) => chooseStatements(scope, true)))
    const { id: customerId, company: of } = company.principal
    const { token } = await signIn(db, { customerId, companyId: of.id, family: 'b2b' })
    return { customerId, cookie: `__Host-purlin=${token}` }
  }
  const sign: Send = ({ cookie }, from) =>
    graphql(from, 'mutation ($input: MandateInput!) { answer: giveMandate(input: $input) { refusal { reason } } }', {
      cookie,
      host: 'pro.de.localhost:3000',
      variables: { input: { holder: 'Lee Bau GmbH', iban: 'DE89370400440532013000', isAgreed: true } },
    })

  const newAdmin = async (): Promise<Colleague> => {
    const companies = companiesIn(database)
    const { principal, cookie } = await companies.join(await companies.newCompany(), 'admin')
    return { customerId: principal.id, cookie }
  }
  let numbers = 7000
  /** Another number, which a company may have. */
  const stateVatNumber: Send = ({ cookie }, from) =>
    graphql(from, 'mutation ($input: TaxInformationInput!) { answer: changeTaxInformation(input: $input) { refusal { reason } } }', {
      cookie,
      host: 'pro.gb.localhost:3000',
      variables: {
        input: {
          legalName: 'Hale Joinery Ltd',
          line1: '4 Slate Yard',
          postcode: 'S1 2AB',
          city: 'Sheffield',
          country: 'GB',
          vatNumber: inventVatNumber(++numbers),
        },
      },
    })

  return {
    mandate: {
      customer: byCustomer('too-many-attempts', newSigner, sign),
      address: fromOnePlace('too-many-attempts', newSigner, sign),
    },
    'vat-number': {
      customer: byCustomer('too-many-checks', newAdmin, stateVatNumber),
      line: fromOnePlace('too-many-checks', newAdmin, stateVatNumber),
    },
  }
}
