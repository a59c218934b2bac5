import type { Realm } from '@purlin/contract/identity.ts'
import { findAccount, insertAccount } from './accounts.ts'
import type { IdentityContext } from './context.ts'
import { hashPassword } from './password.ts'
import { turnOnTotp } from './second-factor.ts'

/** A person whose account exists from the first start. */
export interface SeededPerson {
  realms: readonly Realm[]
  sub: string
  email: string
  password: string
  givenName: string
  familyName: string
  locale: string
  /** Second factor, if the realm requires one. */
  totpSecret?: string
  company?: { name: string; trade: string; vatNumber: string; professionalRole: string }
}

const openDemo = {
  name: 'identity.open-demo',
  text: `update identity.account set closed_at = case when $1 then null else now() end where is_demo and (closed_at is null) <> $1`,
}

/** Creates missing accounts; existing ones are left alone. Without people, those of an earlier demo are closed. */
export async function seedPeople({ pool, factorKey }: IdentityContext, people: readonly SeededPerson[]): Promise<void> {
  await pool.db.run(openDemo, [people.length > 0])
  for (const { realms, sub, email, password, givenName, familyName, locale, company, totpSecret } of people) {
    for (const realm of realms) {
      if (await findAccount(pool.db, realm, sub)) continue
      await insertAccount(pool.db, {
        realm,
        id: sub,
        email,
        givenName,
        familyName,
        locale,
        isDemo: true,
        password: await hashPassword(password),
        companyName: company?.name ?? null,
        trade: company?.trade ?? null,
        vatNumber: company?.vatNumber ?? null,
        registerNumber: null,
        professionalRole: company?.professionalRole ?? null,
      })
      if (totpSecret) await turnOnTotp(pool.db, factorKey, { realm, id: sub }, { secret: totpSecret, step: 0 })
    }
  }
}
