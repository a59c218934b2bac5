import { after, before } from 'node:test'
import { demoPassword, demoPeople } from '@purlin/demo/people.ts'
import * as oidc from 'openid-client'
import { type TestIdentity, ann, startTestIdentity } from './testing.ts'

export let identity: TestIdentity
const priya = demoPeople.find(({ email }) => email.startsWith('priya'))!
export const professional = {
  ...priya,
  password: demoPassword,
  company: { name: 'Hartley Roofing Ltd', trade: 'roofer', vatNumber: 'GB1', professionalRole: 'owner' },
}

before(async () => {
  identity = await startTestIdentity({ people: [ann, professional, { ...ann, realms: ['staff'], email: 'sam@example.com' }] })
})
after(() => identity.server.close())

export const refused = (error: string) => (thrown: unknown) => thrown instanceof oidc.ResponseBodyError && thrown.error === error
