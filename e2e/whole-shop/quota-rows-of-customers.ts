import { createHash } from 'node:crypto'
import { addCustomer, signIn } from '@purlin/server/people/accounts/testing.ts'
import { must } from '@purlin/server/selling/checkout/testing.ts'
import { chooseStatements } from '@purlin/server/selling/credit/choose-statements.ts'
import { addBuyer } from '@purlin/server/selling/credit/testing.ts'
import type { QuotaRows } from './quota-row.ts'
import type { requestsOf } from './quota-requests.ts'
import type { VisitorsShop } from './visitors.ts'

/** The rows of quotas that customers use up: mandates, and codes sent to phone numbers. */
export function quotaRowsOfCustomers(
  { database }: VisitorsShop,
  { newAddress, addressesSoFar, graphql }: ReturnType<typeof requestsOf>,
): Pick<QuotaRows, 'mandate' | 'phone-code' | 'phone-code-guess'> {
  const { db, pool } = database
  let numbers = 0
  const newNumber = () => `+447700${String(900_000 + (numbers += 1))}`
  const newCustomer = async () => {
    const { id } = await addCustomer(db)
    return { id, cookie: `__Host-purlin=${(await signIn(db, { customerId: id })).token}` }
  }
  const ask = ({ cookie }: { cookie: string }, phone: string, from: string) =>
    graphql(from, 'mutation ($input: OptInInput!) { answer: changeOptIns(input: $input) { refusal: codeRefusal { reason } } }', {
      cookie,
      variables: { input: { email: false, sms: true, phone } },
    })
  const newSigner = async () => {
    const company = await addBuyer(db, `DE${100_000_000 + addressesSoFar()}`, { market: 'de', country: 'DE' })
    must(await database.command(company, (scope) => chooseStatements(scope, true)))
    const { id, company: of } = company.principal
    const { token } = await signIn(db, { customerId: id, companyId: of.id, family: 'b2b' })
    return { id, cookie: `__Host-purlin=${token}` }
  }
  const sign = ({ cookie }: { cookie: string }, from: string) =>
    graphql(from, 'mutation ($input: MandateInput!) { answer: giveMandate(input: $input) { refusal { reason } } }', {
      cookie,
      host: 'pro.de.localhost:3000',
      variables: { input: { holder: 'Lee Bau GmbH', iban: 'DE89370400440532013000', isAgreed: true } },
    })
  const refusal = 'too-many-attempts'
  return {
    mandate: {
      customer: {
        refusal,
        newSender: async () => {
          const signer = await newSigner()
          return { counted: signer.id, send: () => sign(signer, newAddress()) }
        },
      },
      address: {
        refusal,
        newSender: async () => {
          const counted = newAddress()
          return { counted, send: async () => sign(await newSigner(), counted) }
        },
      },
    },
    'phone-code-guess': {
      key: {
        refusal,
        newSender: async () => {
          const customer = await newCustomer()
          await ask(customer, newNumber(), newAddress())
          const { rows } = await pool.query<{ id: string }>('select id::text from profile.phone_code where customer_id = $1', [customer.id])
          const wrong = { cookie: customer.cookie, served: ['profile-invalid'] }
          const send = () => graphql(newAddress(), 'mutation { answer: confirmPhone(code: "none") { refusal { reason } } }', wrong)
          return { counted: rows[0]?.id ?? '', send }
        },
      },
    },
    'phone-code': {
      customer: {
        refusal,
        newSender: async () => {
          const customer = await newCustomer()
          return { counted: customer.id, send: () => ask(customer, newNumber(), newAddress()) }
        },
      },
      key: {
        refusal,
        newSender: async () => {
          const number = newNumber()
          const counted = createHash('sha256').update(number).digest('base64url')
          return { counted, send: async () => ask(await newCustomer(), number, newAddress()) }
        },
      },
      address: {
        refusal,
        newSender: async () => {
          const counted = newAddress()
          return { counted, send: async () => ask(await newCustomer(), newNumber(), counted) }
        },
      },
      line: {
        refusal,
        newSender: async () => {
          const counted = newAddress()
          return { counted, send: async () => ask(await newCustomer(), newNumber(), counted) }
        },
      },
    },
  }
}
