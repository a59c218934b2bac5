import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addCompany, addCustomer, addMembership, signIn } from '../accounts/testing.ts'

const database = await testDatabase()
const { db, pool } = database
const gateway = await testGateway(pool)

interface Reply {
  data: {
    company?: {
      sites: { id: string; name: string; firstName: string; isArchived: boolean }[]
      costCentres: { id: string; code: string; name: string; isArchived: boolean }[]
      isFree: boolean
      canManageSites: boolean
      canManageCostCentres: boolean
    } | null
    result?: { refusal: { reason: string; fields: { field: string }[] } | null }
  } | null
  errors?: { extensions: { code: string } }[]
}

async function member(company: { id: string }, role: string) {
  const { id } = await addCustomer(db)
  await addMembership(db, id, company.id, role)
  const { token } = await signIn(db, { customerId: id, family: 'b2b', companyId: company.id })
  const post = async (query: string, variables?: object): Promise<Reply> =>
    (await gateway.post(query, variables, { cookie: `__Host-purlin=${token}`, host: 'pro.gb.localhost:3000' })).body
  const change = async (query: string, variables: object) => {
    const { data, errors } = await post(query, variables)
    assert.ok(data?.result ?? errors)
    const refusal = data?.result?.refusal
    return errors?.[0]?.extensions.code ?? (refusal ? [refusal.reason, ...refusal.fields.map(({ field }) => field)].join(' ') : 'ok')
  }
  const refusal = '{ refusal { reason fields { field } } }'
  return {
    see: async () =>
      (
        await post(
          '{ company: companySites { sites { id name firstName isArchived } costCentres { id code name isArchived } isFree canManageSites canManageCostCentres } }',
        )
      ).data?.company,
    save: (more: object = {}, id: string | null = null) =>
      change(`mutation ($id: ID, $input: BuildingSiteInput!) { result: saveSite(id: $id, input: $input) ${refusal} }`, {
        id,
        input: { ...school, ...more },
      }),
    archive: (id: string, isArchived = true) =>
      change(`mutation ($id: ID!, $isArchived: Boolean!) { result: archiveSite(id: $id, isArchived: $isArchived) ${refusal} }`, {
        id,
        isArchived,
      }),
    addCentre: (code: string) =>
      change(`mutation ($code: String!) { result: addCostCentre(code: $code, name: "Roofs") ${refusal} }`, { code }),
    archiveCentre: (id: string) => change(`mutation ($id: ID!) { result: changeCostCentre(id: $id, isArchived: true) ${refusal} }`, { id }),
    renameCentre: (id: string, name: string) =>
      change(`mutation ($id: ID!, $name: String) { result: changeCostCentre(id: $id, name: $name) ${refusal} }`, { id, name }),
    restrict: () => change(`mutation { result: changeCostCentreRule(isFree: false) ${refusal} }`, {}),
  }
}

const school = {
  name: 'School, Mill Lane',
  firstName: 'Kim',
  lastName: 'Field',
  phone: '020 7946 0000',
  line1: '1 Mill Lane',
  postcode: 'SW1A 1AA',
  city: 'London',
  deliveryHours: 'Mon–Fri 7–15',
}

test('building sites and cost centres are changed by the roles that may, and read by all five', async () => {
  const company = await addCompany(db)
  const roles = ['admin', 'approver', 'buyer', 'accountant', 'viewer'] as const
  const sites = { admin: true, approver: true, buyer: false, accountant: false, viewer: false }
  const centres = { admin: true, approver: false, buyer: false, accountant: true, viewer: false }
  for (const role of roles) {
    const someone = await member(company, role)
    assert.equal(await someone.save({ name: `Site of ${role}` }), sites[role] ? 'ok' : 'FORBIDDEN', role)
    assert.equal(await someone.addCentre(`C-${role}`), centres[role] ? 'ok' : 'FORBIDDEN', role)
    const seen = await someone.see()
    assert.deepEqual([seen?.canManageSites, seen?.canManageCostCentres], [sites[role], centres[role]], role)
  }
  const seen = await (await member(company, 'viewer')).see()
  assert.deepEqual([seen?.sites.length, seen?.costCentres.length], [2, 2])
})

test('a site needs an address of the market; names are taken once; what is archived stays and can come back', async () => {
  const admin = await member(await addCompany(db), 'admin')
  assert.equal(await admin.save({ postcode: '75001', name: '' }), 'name-invalid name')
  assert.equal(await admin.save({ postcode: '75001' }), 'address-invalid postcode')
  assert.equal(await admin.save(), 'ok')
  assert.equal(await admin.save({ name: 'SCHOOL, mill lane' }), 'name-taken name')
  const [site] = (await admin.see())?.sites ?? []
  assert.ok(site)
  assert.equal(await admin.save({ firstName: 'Lee' }, site.id), 'ok')
  assert.equal(await admin.archive(site.id), 'ok')
  assert.deepEqual((await admin.see())?.sites, [{ ...site, firstName: 'Lee', isArchived: true }])
  assert.equal(await admin.archive(site.id, false), 'ok')
  assert.equal((await admin.see())?.sites[0]?.isArchived, false)
  assert.deepEqual(
    [await admin.addCentre('C-1'), await admin.addCentre('c-1'), await admin.addCentre('')],
    ['ok', 'name-taken code', 'name-invalid code'],
  )
})

test('a cost centre gets another description or none; its code, which is on invoices, and its state stay', async () => {
  const company = await addCompany(db)
  const [admin, viewer] = [await member(company, 'admin'), await member(company, 'viewer')]
  const rival = await member(await addCompany(db), 'admin')
  await admin.addCentre('C-1')
  const [centre] = (await admin.see())?.costCentres ?? []
  assert.ok(centre)
  assert.equal(await admin.renameCentre(centre.id, '  Roofs and\n gutters '), 'ok')
  assert.deepEqual((await admin.see())?.costCentres, [{ ...centre, name: 'Roofs and gutters' }])
  assert.equal(await admin.archiveCentre(centre.id), 'ok')
  assert.deepEqual((await admin.see())?.costCentres, [{ ...centre, name: 'Roofs and gutters', isArchived: true }])
  assert.equal(await admin.renameCentre(centre.id, ''), 'ok')
  assert.deepEqual((await admin.see())?.costCentres, [{ ...centre, name: '', isArchived: true }])
  assert.deepEqual(
    [
      await admin.renameCentre(centre.id, 'x'.repeat(81)),
      await viewer.renameCentre(centre.id, 'Walls'),
      await rival.renameCentre(centre.id, 'Walls'),
    ],
    ['name-invalid name', 'FORBIDDEN', 'unknown-cost-centre'],
  )
})

test('another company’s sites and cost centres cannot be changed or archived', async () => {
  const [admin, rival] = [await member(await addCompany(db), 'admin'), await member(await addCompany(db), 'admin')]
  await admin.save()
  await admin.addCentre('C-1')
  const { sites, costCentres } = (await admin.see()) ?? { sites: [], costCentres: [] }
  const [site, centre] = [sites[0]?.id ?? '', costCentres[0]?.id ?? '']
  assert.deepEqual(
    [await rival.save({}, site), await rival.archive(site), await rival.archiveCentre(centre)],
    ['unknown-site', 'unknown-site', 'unknown-cost-centre'],
  )
  assert.equal((await rival.see())?.sites.length, 0)
  assert.equal((await admin.see())?.sites[0]?.isArchived, false)
  assert.equal(await admin.restrict(), 'ok')
  assert.deepEqual([(await admin.see())?.isFree, (await rival.see())?.isFree], [false, true])
})
