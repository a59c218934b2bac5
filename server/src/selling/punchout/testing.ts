import assert from 'node:assert/strict'
import type { testGateway } from '../../edges/gateway/testing.ts'
import { parseXml } from './xml.ts'

/** For tests: the documents of a purchasing system that speaks cXML. */

export const cxmlDocument = (identity: string, secret: string, request: string) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE cXML SYSTEM "http://xml.cxml.org/schemas/cXML/1.2.050/cXML.dtd">
<cXML payloadID="1@buyer.example" timestamp="2026-11-23T10:00:00Z"><Header>
<From><Credential domain="DUNS"><Identity>123456789</Identity></Credential></From>
<To><Credential domain="NetworkID"><Identity>purlin</Identity></Credential></To>
<Sender><Credential domain="NetworkID"><Identity>${identity}</Identity><SharedSecret>${secret}</SharedSecret></Credential><UserAgent>Buyer 1</UserAgent></Sender>
</Header><Request>${request}</Request></cXML>`

export const cxmlSetup = (operation = 'create', items = '', url = 'https://buyer.example/cxml?a=1&amp;b=2') =>
  `<PunchOutSetupRequest operation="${operation}"><BuyerCookie>cookie-1</BuyerCookie><Extrinsic name="UserEmail">jo@buyer.example</Extrinsic>
<BrowserFormPost><URL>${url}</URL></BrowserFormPost>${items}</PunchOutSetupRequest>`

export const cxmlItem = (id: string, quantity: number, price = '100.00', currency = 'GBP') =>
  `<ItemOut quantity="${quantity}" lineNumber="1"><ItemID><SupplierPartID>${id}</SupplierPartID></ItemID>
<ItemDetail><UnitPrice><Money currency="${currency}">${price}</Money></UnitPrice><Description xml:lang="en">Drill</Description></ItemDetail></ItemOut>`

export interface OrderedTo {
  city?: string
  /** A building site of the company, by its name. */
  site?: string
  costCentre?: string
}
export const cxmlOrder = (number: string, items: string, { city = 'London', site, costCentre }: OrderedTo = {}) =>
  `<OrderRequest><OrderRequestHeader orderID="${number}" orderDate="2026-11-23" type="new"><Total><Money currency="GBP">200.00</Money></Total>
<ShipTo><Address isoCountryCode="GB"${site === undefined ? '' : ` addressID="${site}"`}><Name xml:lang="en">Lee Building Ltd</Name><PostalAddress><DeliverTo>Jo Lee</DeliverTo>
<Street>1 Mill Lane</Street><City>${city}</City><PostalCode>SW1A 1AA</PostalCode><Country isoCountryCode="GB">United Kingdom</Country></PostalAddress></Address></ShipTo>
${costCentre === undefined ? '' : `<Extrinsic name="CostCenter">${costCentre}</Extrinsic>`}</OrderRequestHeader>${items}</OrderRequest>`

/** Sends documents to a gateway, from an address of its own if given. */
export function cxmlCaller({ app }: Awaited<ReturnType<typeof testGateway>>) {
  return async (payload: string, remoteAddress?: string): Promise<{ code: number; body: string }> => {
    const { statusCode, body } = await app.inject({
      method: 'POST',
      url: '/api/v1/punch-out/cxml',
      headers: { host: 'pro.gb.localhost:3000', 'content-type': 'text/xml; charset=utf-8' },
      payload,
      ...(remoteAddress !== undefined && { remoteAddress }),
    })
    assert.equal(statusCode, 200)
    assert.ok(parseXml(body), body)
    return { code: Number(/<Status code="(\d+)"/.exec(body)?.[1]), body }
  }
}

/** The order that a response names. */
export const orderIdIn = (body: string): string => /Order (P\w+)/.exec(body)?.[1] ?? ''
