import assert from 'node:assert/strict'
import { demoPassword, demoPeople, type DemoPerson } from '@purlin/demo/people.ts'
import type { Visitor } from './visitor.ts'

export function demoPerson(email: string): DemoPerson {
  const person = demoPeople.find((each) => each.email === email)
  assert.ok(person, `${email} is one of the people of the demo`)
  return person
}

/** Signs in with a demo account, with or without scripts, and returns to an address of the shop. */
export async function signIn({ page, origin, mode }: Visitor, email: string, address = '/'): Promise<void> {
  const realm = mode === 'b2b' ? '&ui=b2b' : ''
  await page.goto(`${origin}/api/auth/pre-login?callbackUrl=${encodeURIComponent(address)}${realm}`)
  await page.getByLabel(/e-?mail/i).fill(demoPerson(email).email)
  await page.locator('input[type="password"]').fill(demoPassword)
  await page.locator('form button[type="submit"], form button:not([type])').first().click()
  await page.waitForURL(origin + address)
}
