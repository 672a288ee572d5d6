-- Reasons and offers are named as they are in the interface: `dead_position`, `take_back by white`.
UPDATE games SET outcome = replace(replace(outcome, ' ', '_'), '-', '_')
    WHERE outcome LIKE '% %' OR outcome LIKE '%-%';
UPDATE games SET offer = replace(offer, 'takeback', 'take_back') WHERE offer LIKE 'takeback%';
