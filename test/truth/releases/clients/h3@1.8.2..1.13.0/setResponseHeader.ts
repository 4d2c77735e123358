import { setResponseHeader, type H3Event } from 'h3'

export const early = (event: H3Event) => setResponseHeader(event, 'early-data', '1')
