-- Set for views of products that recommendations may be learned from: of a visitor whose id this server issued, one of 65,536
-- groups of networks. (decision 086)
alter table insights.event add column network integer;
