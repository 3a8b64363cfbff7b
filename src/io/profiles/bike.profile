# Bicycles. Speeds in km/h of each kind of street (highway=…); kinds without a line are closed.
speed trunk 18 tagged
speed trunk_link 18 tagged
speed primary 18
speed primary_link 18
speed secondary 18
speed secondary_link 18
speed tertiary 18
speed tertiary_link 18
speed unclassified 18
speed road 16
speed residential 18
speed living_street 14
speed service 15
speed cycleway 18
speed track 13
speed path 12
speed pedestrian 6 tagged
speed footway 6 tagged
speed bridleway 8 tagged
maxspeed limit
walk 6
access access vehicle bicycle
deny no private agricultural forestry emergency military dismount use_sidepath permit
oneway oneway oneway:vehicle oneway:bicycle
contraflow cycleway cycleway:left cycleway:right cycleway:both
restrictions vehicle bicycle
