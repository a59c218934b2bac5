import { issuerOf } from '@purlin/contract/identity.ts'
import { demoPeople, type DemoPerson } from '@purlin/demo/people.ts'
import { enrolPerson, type KnownPerson } from '@purlin/server/people/accounts/index.ts'
import { takeInCompany } from '@purlin/server/people/tax/index.ts'
import type { Db } from '@purlin/server/foundation/platform/index.ts'

/** Creates the accounts, companies and roles of the demo people before their first sign-in. */
export async function enrolDemoPeople(db: Db, identityUrl: string): Promise<void> {
  for (const person of demoPeople) {
    const { sub, email, givenName, familyName, market, realms } = person
    const identities = realms.map((realm) => ({ issuer: issuerOf(identityUrl, realm), subject: sub }))
    await enrolPerson(db, { id: sub, email, name: `${givenName} ${familyName}`, market, identities, as: standingOf(person) })
    if (person.kind === 'member') await takeInCompany({ db }, { companyId: person.company.id, ...person.company })
  }
}

function standingOf(person: DemoPerson): KnownPerson['as'] {
  switch (person.kind) {
    case 'consumer':
      return { kind: 'customer' }
    case 'member':
      return { kind: 'member', role: person.role, company: person.company }
    case 'seller':
      return {
        kind: 'seller',
        sellerId: person.sellerId,
        roles: (person.isOwner ? (['seller', 'owner'] as const) : (['seller'] as const)).map((role) => ({ role, market: null })),
      }
    case 'operator':
      return { kind: 'operator', sellerId: null, roles: person.roles.map((role) => ({ role, market: null })) }
  }
}
