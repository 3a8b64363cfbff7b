# Pedestrians. Speeds in km/h of each kind of street (highway=…); kinds without a line are closed.
speed trunk 5 tagged
speed trunk_link 5 tagged
speed primary 5
speed primary_link 5
speed secondary 5
speed secondary_link 5
speed tertiary 5
speed tertiary_link 5
speed unclassified 5
speed road 5
speed residential 5
speed living_street 5
speed service 5
speed pedestrian 5
speed footway 5
speed path 5
speed track 5
speed steps 2.5
speed bridleway 5
speed corridor 4
speed platform 5
speed cycleway 5
maxspeed ignore
walk 5
access access foot
deny no private agricultural forestry emergency military use_sidepath permit
